"""Things to take away: what a graph, a step or a lesson becomes outside the window.

page_data.py      a page as data: every number and sentence of it, computed by the engine
page_questions.py one blank of a page: its answer, its slips, and the help
page_figure.py    graphs and numbers as a page draws them
html_page.py      one HTML file made from it
course_folder.py  the course as a folder of such files
worksheet.py      a pass to be worked out on paper, and its key
filmstrip.py      some steps on one page
animation.py      a pass as a GIF, with its narration
lesson_folder.py  page, worksheet, key and strip of a lesson
covered.py        frames as the mode Cover shows them
"""
