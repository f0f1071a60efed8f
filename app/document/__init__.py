"""What is saved and undone: the sheet, its edits, the document and its file."""
