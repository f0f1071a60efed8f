"""The canvas as assistive technology sees it."""
