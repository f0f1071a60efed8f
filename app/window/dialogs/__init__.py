"""Dialogs: questions and information in windows of their own."""
