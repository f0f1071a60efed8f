"""Lesson: what was asked and answered, the slips in it, a drill, and a pass by hand."""

from app.panels.lesson.page import LessonPage

__all__ = ["LessonPage"]
