"""How Backwire looks: colours, fonts, sizes, icons, and how numbers are written."""
