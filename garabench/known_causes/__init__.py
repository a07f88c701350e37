"""Failed episodes whose cause is known: the data set against which a diagnosis is measured.

Each failure is caused by a defect of an app or by a fault of the agent, and the cause is written next to the
runs, where a diagnosis does not read. May import `probing` and everything below it; a diagnosis must not
import this package. Start with `data_set`; `cause_assignment` chooses the causes.
"""
