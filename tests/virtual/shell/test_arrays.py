"""Arrays, ``$RANDOM`` and aliases, as in mksh (``mksh.1``: Parameters, Arrays, Aliases)."""

from __future__ import annotations

import pytest

from tests.virtual.shell.harness import on_phone


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ('a=(x "y z" w); echo ${a[1]} ${#a[@]} $a', "y z 3 x\n"),
        ('a=(x "y z"); for i in "${a[@]}"; do echo "<$i>"; done', "<x>\n<y z>\n"),
        ('a=(x "y z"); set -- "${a[*]}"; echo $#', "1\n"),
        ("a[3]=q; a[0]=p; echo ${!a[@]} ${#a[3]} ${a[@]}", "0 3 1 p q\n"),
        ("a=(p q r); i=2; echo ${a[i]} ${a[$i]} ${a[i-1]}", "r r q\n"),
        ('a=(p q r); unset "a[1]"; echo ${a[@]} ${#a[*]}', "p r 2\n"),
        ("a=(p q r); unset a; echo ${#a[@]}-${a[1]}-", "0--\n"),
        ("set -A b 1 2 3; b+=(4); echo ${b[@]}", "1 2 3 4\n"),
        ("b=(1 2); b[1]+=9; s=x; s+=y; echo ${b[1]} $s", "29 xy\n"),
        ("b=(1 2 3); echo $((b[1] + b[2])) $((b[0]++)) ${b[0]}", "5 1 2\n"),
        ("((c[2] = 5)); echo ${c[2]}; let c[1]=4; echo ${c[@]}", "5\n4 5\n"),
        ("i=0; while ((i < 3)); do ((i += 1)); done; echo $i; ((0)) || echo zero", "3\nzero\n"),
        ("((echo a); echo b)", "a\nb\n"),
        ("echo ${b[9]:-none} ${b[9]:=made} ${b[9]}", "none made made\n"),
        ('IFS=,; a=(1 2 3); echo "${a[*]}"', "1,2,3\n"),
        ("a=(\n1\n2 # comment\n)\necho ${#a[@]}", "2\n"),
        ("x=1; echo ${x[0]}-${x[1]}-", "1--\n"),
        ("echo a[0]=b", "a[0]=b\n"),
        ("a=($(echo 1 2 3)); (a[0]=9; echo ${a[0]}); echo ${a[0]}", "9\n1\n"),
        ("mkdir d; touch d/1.x d/2.x; a=(d/*.x); echo ${#a[@]} ${a[1]#d/}", "2 2.x\n"),
        ("a=(b.c d.e); echo ${a[1]%.*} ${a[1]/d/f}", "d f.e\n"),
        # $RANDOM: 0 to 32767; assigning seeds it
        ("RANDOM=5; x=$RANDOM; RANDOM=5; [ $x = $RANDOM ] && echo same", "same\n"),
        ("n=0; for i in 1 2 3 4 5 6 7 8; do [ $RANDOM -lt 32768 ] && n=$((n+1)); done; echo $n", "8\n"),
        ("for i in 1 2 3 4 5 6; do echo $((RANDOM % 100)); done | sort -u | wc -l | grep -cE '[3-6]'", "1\n"),
        ("echo $KSH_VERSION | cut -c-21", "@(#)MIRBSD KSH R59 20\n"),
        # aliases are expanded when a later line is read
        ("alias ll='echo hi'\nll there", "hi there\n"),
        (
            "alias ll='echo hi' gg=ls\nalias ll\nalias | grep -E '^(gg|ll)'",
            "ll='echo hi'\ngg=ls\nll='echo hi'\n",
        ),
        ("alias ll='echo hi'\n\\ll 2>/dev/null || echo quoted", "quoted\n"),
        ("alias ls='echo ls'\nls x", "ls x\n"),
        ("alias run='echo ' w=word\nrun w", "word\n"),
        ("alias up='tr a-z A-Z'\necho abc | up", "ABC\n"),
        ("alias a='echo \"$X\"'\nX=1\na 'two words' | wc -w", "3\n"),
        ("alias q=echo\nunalias q\nq 2>/dev/null; echo $?", "127\n"),
    ],
)
def test_lines(line: str, out: str) -> None:
    assert on_phone(line) == (out, "", 0)


@pytest.mark.parametrize(
    ("line", "err"),
    [
        ("a=(1 2", "syntax error: unexpected EOF"),
        ("echo ${a[1}", "syntax error: bad substitution"),
        ("a[x y]=1", None),
        ("a=(1); echo ${a[1+]}", ""),
        ("a[-1]=2", "a[-1]: bad subscript"),
        ("a[999999999]=2", "a[999999999]: bad subscript"),
        ("readonly a; a[1]=2", "read-only: a"),
    ],
)
def test_errors(line: str, err: str | None) -> None:
    _, errors, status = on_phone(line)
    assert status != 0
    assert err is None or err in errors
