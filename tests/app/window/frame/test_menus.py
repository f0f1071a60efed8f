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
