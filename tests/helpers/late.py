"""What the start does without; all of it is imported where it is used."""

LIBRARIES = ("networkx", "numpy", "pyqtgraph", "ziamath", "PIL", "pygraphviz")
"""Large libraries."""

MODULES = (
    "app.canvas.editing.paste_preview",
    "app.canvas.editing.quick_add",
    "app.canvas.input.gestures",
    "app.canvas.input.draw_wire",
    "app.canvas.paint.picture_export",
    "app.controls.notices",
    "app.document.merge_expression",
    "app.document.place_new_nodes",
    "app.lessons.checks",
    "app.lessons.daily",
    "app.lessons.load",
    "app.lessons.questions",
    "app.panels.code",
    "app.panels.history",
    "app.panels.lesson",
    "app.panels.mistakes",
    "app.panels.mistakes.hunt_part",
    "app.panels.numeric",
    "app.panels.numeric.curve_plot",
    "app.panels.palette.fly_out",
    "app.panels.strip.your_order",
    "app.panels.train",
    "app.panels.train.loop_plots",
    "app.panels.train.training_view",
    "app.panels.why",
    "app.window.commands.palette_extras",
    "app.window.dialogs.about",
    "app.window.dialogs.action_list",
    "app.window.dialogs.exercise",
    "app.window.dialogs.export",
    "app.window.dialogs.export_content",
    "app.window.dialogs.file_dialogs",
    "app.window.dialogs.report_dialog",
    "app.workbench.study.checking",
    "app.workbench.study.copying",
    "app.workbench.study.torch_run",
    "app.workbench.words.descent",
    "app.workbench.modes.hunt",
    "app.workbench.words.asked",
    "app.workbench.words.help",
    "app.workbench.words.lesson",
    "app.workbench.training",
    "engine.compiled.arrays",
    "engine.compiled.levels",
    "engine.compiled.program",
    "engine.formats.python.reader",
    "engine.formats.value_display",
    "engine.study.friendly",
    "engine.study.hunt",
    "engine.training.learning",
    "engine.training.table",
    "engine.training.torch_script",
)
"""Our own modules that the first picture does not need."""

SOON = (
    "app.controls.epoch_line",
    "app.lessons.course",
    "app.lessons.course_view",
    "app.panels.palette.palette",
    "app.panels.welcome",
    "app.window.dialogs.recovered_files",
    "app.window.interrupt",
    "app.workbench.words.hand",
)
"""Our own modules that only some first pictures need, or that are used right after it."""

LATE = (*LIBRARIES, *MODULES)
"""All that no start may load."""
