from tests.helpers.window import entries


def test_the_file_menu_reads_as_in_any_program(window):
    assert entries(window.menu_bar.menu("File")) == [
        "New",
        "Open…",
        "Open recent",
        "Open example",
        "Save",
        "Save as…",
        "Export…",
        "Export as",
        "Copy as picture",
        "Quit",
    ]


def test_no_menu_names_a_thing_twice(window):
    for title in ("File", "Edit", "View", "Graph", "Run", "Learn", "Help"):
        found = entries(window.menu_bar.menu(title))
        assert len(found) == len(set(found)), title


def test_every_menu_is_one_column_on_a_laptop(window):
    for title in ("File", "Edit", "View", "Graph", "Run", "Learn", "Help"):
        menu = window.menu_bar.menu(title)
        menu.aboutToShow.emit()
        assert menu.sizeHint().height() <= 768, title
        last = menu.actionGeometry(menu.actions()[-1])
        assert last.left() == menu.actionGeometry(menu.actions()[0]).left(), title
