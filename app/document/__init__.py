"""What is saved and undone: the sheet, its edits, the document and its file.

The document also owns which group is looked into: new nodes join that group, and an undo that
removes the group moves the view out of it.
"""
