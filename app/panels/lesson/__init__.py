"""Lesson: the lesson that is on or is recorded, else an exercise, all lessons and the last run."""

from app.panels.lesson.page import LessonPage

__all__ = ["LessonPage"]
