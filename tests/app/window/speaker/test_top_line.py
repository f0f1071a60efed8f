"""The times of the speaker's window."""

from app.style.current import Style
from app.window.speaker.top_line import TopLine, clock_text


def test_times_are_written_in_minutes_and_from_an_hour_on_in_hours():
    assert [clock_text(x) for x in (0, 35.9, 760, 3600)] == ["0:00", "0:35", "12:40", "1:00:00"]


def test_without_times_of_marks_there_is_no_whole_and_no_bar(qtbot):
    line = TopLine(Style(), None)
    qtbot.addWidget(line)
    line.show_times(760.0, 0.0)
    assert (line.running_time.text(), line.total.text()) == ("12:40", "")
    assert line.bar.isHidden()
    line.show_times(760.0, 2700.0)
    assert line.total.text() == "of 45:00"
    assert not line.bar.isHidden()


def test_a_long_title_leaves_the_clock_in_the_middle(qtbot):
    line = TopLine(Style(), None)
    qtbot.addWidget(line)
    line.resize(1024, 48)
    line.show_times(0.0, 0.0)
    line.show_mark("why gradients add up " * 10, 18, 20)
    assert abs(line.clock.geometry().center().x() - 512) <= 1
    assert line.mark_number.geometry().right() < line.clock.x()
    assert line.title.shown_text().endswith("…")
