"""Texts that are read from the right, for the gallery: the suite's own are Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from garabench.core.interruption import Interruption

FROM_THE_RIGHT = ("ar", "he")


@dataclass(frozen=True, slots=True)
class Words:
    """An interruption's texts in one language.

    Attributes:
        labels: Of its buttons, by their key.
        hints: Of its fields.
    """

    title: str
    message: str
    labels: Mapping[str, str]
    hints: tuple[str, ...] = ()
    note: str = ""


_TEXTS: Mapping[str, Mapping[str, Words]] = {
    "low-battery": {
        "ar": Words(
            "البطارية تنفد بسرعة",
            "بهذا المعدل ستنفد قبل الساعة 18:30. شغّل وضع توفير الطاقة (Battery Saver) لتدوم أطول.",
            {"dismiss": "حسنًا", "accept": "توفير الطاقة"},
        ),
        "he": Words(
            "הסוללה מתרוקנת מהר",
            "בקצב הזה היא תתרוקן לפני 18:30. כדאי להפעיל חיסכון בסוללה (Battery Saver).",
            {"dismiss": "הבנתי", "accept": "חיסכון בסוללה"},
        ),
    },
    "notification-permission": {
        "ar": Words(
            "تشغيل الإشعارات",
            "تعرّف على التحديثات والتوصيل في وقتها.",
            {"dismiss": "لاحقًا", "accept": "تشغيل"},
        ),
        "he": Words(
            "הפעלת התראות", "עדכונים ומשלוחים בזמן אמת.", {"dismiss": "אולי אחר כך", "accept": "הפעלה"}
        ),
    },
    "star-rating": {
        "ar": Words(
            "كم نجمة تمنحنا؟",
            "اضغط على النجوم. لن يستغرق ذلك سوى دقيقة.",
            {"submit": "إرسال", "dismiss": "لاحقًا"},
        ),
        "he": Words(
            "כמה כוכבים מגיעים לנו?",
            "הקישו על הכוכבים. זה לוקח דקה.",
            {"submit": "שליחה", "dismiss": "אולי אחר כך"},
        ),
    },
    "login-wall": {
        "ar": Words(
            "سجّل الدخول للمتابعة",
            "تسجيل الدخول يحفظ المفضلة والسجل.",
            {"accept": "تسجيل الدخول", "skip": "ليس الآن، سأتصفح فقط"},
            ("رقم الهاتف أو البريد الإلكتروني", "كلمة المرور"),
            "بتسجيل الدخول فإنك توافق على الشروط وسياسة الخصوصية",
        ),
        "he": Words(
            "התחברות כדי להמשיך",
            "ההתחברות שומרת מועדפים והיסטוריה.",
            {"accept": "התחברות", "skip": "לא עכשיו, רק להסתכל"},
            ("טלפון או דוא״ל", "סיסמה"),
            "ההתחברות מהווה הסכמה לתנאים ולמדיניות הפרטיות",
        ),
    },
}


def has(interruption: Interruption) -> bool:
    """Whether there are such texts of an interruption: of each button and field that it has."""
    words = _TEXTS.get(interruption.id, {}).get(FROM_THE_RIGHT[0])
    return (
        words is not None
        and all(button.key in words.labels for button in interruption.buttons)
        and len(interruption.fields) == len(words.hints)
    )


def said(interruption: Interruption, language: str) -> Interruption:
    """The interruption with its texts in that language; where there are none, as it is."""
    words = _TEXTS.get(interruption.id, {}).get(language)
    if words is None:
        return interruption
    return interruption.model_copy(
        update={
            "title": {language: words.title},
            "message": {language: words.message},
            "buttons": tuple(
                button.model_copy(update={"label": {language: words.labels[button.key]}})
                for button in interruption.buttons
            ),
            "fields": tuple(
                each.model_copy(update={"hint": {language: hint}})
                for each, hint in zip(interruption.fields, words.hints, strict=True)
            ),
            "note": {language: words.note} if words.note else interruption.note,
        }
    )
