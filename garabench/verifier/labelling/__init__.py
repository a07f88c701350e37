"""The labelling page: people judge episodes, first blind, then with the verifier's findings.

Labels are stored in SQLite with every change. Start with `label_store`, then `label_app`. May
import what `garabench.verifier` may.
"""
