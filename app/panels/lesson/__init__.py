"""Lesson: questions with their answers and slips, a drill, and a pass by hand."""

from app.panels.lesson.page import LessonPage

__all__ = ["LessonPage"]
