"""Say in words which element a selector means, for a reader of a verdict."""

from __future__ import annotations

from garabench.core.selector import Selector

_ORDINALS = ("first", "second", "third")


def selector_words(selector: Selector) -> str:
    """Return a selector in words: ``“Song” (title) in (row)``.

    Args:
        selector: The selector.
    """
    texts = [f"“{text}”" for text in (selector.text, selector.desc) if text is not None]
    texts += [f"“…{text}…”" for text in (selector.text_contains, selector.desc_contains) if text is not None]
    texts += [f"/{text}/" for text in (selector.text_matches, selector.desc_matches) if text is not None]
    name = (selector.id or selector.cls or selector.xpath or "").rpartition("/" if selector.id else "\0")[2]
    words = [*texts, *([f"({name})"] if name else [])]
    if selector.index is not None:
        words.insert(0, _ordinal(selector.index))
    for name, state in (("checked", selector.checked), ("selected", selector.selected)):
        if state is not None:
            words.append(name if state else f"not {name}")
    for link, related in (("in", selector.inside), ("with", selector.has), ("beside", selector.sibling)):
        if related is not None:
            words.append(f"{link} {selector_words(related)}")
    if selector.near is not None:
        words.append(f"near “{selector.near}”")
    return " ".join(words) or selector.describe()


def _ordinal(index: int) -> str:
    if index < 0:
        return "the last" if index == -1 else f"number {-index} from the end of"
    return f"the {_ORDINALS[index]}" if index < len(_ORDINALS) else f"number {index + 1} of"
