"""Tools for authors of rules, goals and tasks: propose, watch, try and replay rules; propose and test goals.

`recording` turns a person's use of a phone into a task, `d_gara` imports another benchmark's tasks. The
package may import the suite, its checks, the records, `web` and what performs on devices; only the command
line imports it. Start with `rule_proposal` and `rule_watch` for rules, `goal_proposal` for goals,
`recording.record_task` for tasks.
"""
