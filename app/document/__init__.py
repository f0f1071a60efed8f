"""What is saved and undone: the sheet, its edits, the document and its file.

The document also holds which group is entered: new nodes join that group, and an undo that removes
the group leaves it.
"""
