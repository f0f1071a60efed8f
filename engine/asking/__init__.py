"""Exercises on a trace.

question    what can be asked about a pass, and the frame that hides the answer; the exercise that
            a graph carries
kinds       each kind of question: its words, where it is asked, its right answer
facts       one step of a pass as numbers and node ids
judging     typed answers: read, judged within the printed digits, and multiple choice
beliefs     wrong ideas, and the numbers that they produce
answering   the sentences about a judged answer
revealing   short sentences under the choices of a question, once it is answered
record      one run of questions, judged again; comparison with the exercise
inference   which idea is behind wrong answers, at which blanks it shows, what a run tells of it
friendly    leaf values with which answers and slips differ; drills
beginning   leaf values for a formula without values
diagnose    which mistake explains the final gradients, or the steps seen
program     the backward pass as a program, and the topological sort line by line
hand_run    a pass by hand, and which nodes may fire next
paths       all paths from a node to the root
nudge       difference quotients, and a change propagated through the graph
"""
