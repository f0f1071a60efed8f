"""Takeaway: the pages, worksheets, strips and GIFs that a graph or a lesson becomes.

HTML pages, in reading order:

    page_data         a page as JSON: every number and sentence that its script shows
    page_parts        a graph with its layout and the numbers known at a frame; sentences as spans
    page_questions    each blank with its answer, its slips and its hints
    page_record       the record that a reader copies, and its code of 12 characters
    graph_page        both passes of a graph as a page
    html_page         the HTML file of a page, with the scripts and page.css of resources/page
    notebook_page     the page of a Value in the output of a notebook's cell
    lesson_page       the steps of a lesson as a page; the course as a folder of such pages

Paper and pictures:

    paper             pages of A4 or Letter, filled with blocks, and a graph that fits a part of one
    worksheet_rows    the table and questions of a worksheet with their key, and numbers by seed
    worksheet_figure  the graph on a worksheet, with boxes for the numbers to be worked out
    worksheet         a worksheet and its key as two PDF files
    filmstrip         steps as pictures with their sentences: some on one page, all as a GIF
    lesson_folder     page, worksheet, key and strip of one lesson

For all of them: estimated_layout (positions for a graph that has none, without Qt).
"""
