"""Right-to-left texts for the gallery; the suite itself has Chinese and English ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from garabench.core.interruption import Interruption

RTL_LANGUAGES = ("ar", "he")


@dataclass(frozen=True, slots=True)
class RtlTexts:
    """The texts of an interruption in one language.

    Attributes:
        labels: Button labels by key.
        hints: Hints of its fields.
    """

    title: str
    message: str
    labels: Mapping[str, str]
    hints: tuple[str, ...] = ()
    note: str = ""


_TEXTS: Mapping[str, Mapping[str, RtlTexts]] = {
    "low-battery": {
        "ar": RtlTexts(
            "البطارية تنفد بسرعة",
            "بهذا المعدل ستنفد قبل الساعة 18:30. شغّل وضع توفير الطاقة (Battery Saver) لتدوم أطول.",
            {"dismiss": "حسنًا", "accept": "توفير الطاقة"},
        ),
        "he": RtlTexts(
            "הסוללה מתרוקנת מהר",
            "בקצב הזה היא תתרוקן לפני 18:30. כדאי להפעיל חיסכון בסוללה (Battery Saver).",
            {"dismiss": "הבנתי", "accept": "חיסכון בסוללה"},
        ),
    },
    "notification-permission": {
        "ar": RtlTexts(
            "تشغيل الإشعارات",
            "تعرّف على التحديثات والتوصيل في وقتها.",
            {"dismiss": "لاحقًا", "accept": "تشغيل"},
        ),
        "he": RtlTexts(
            "הפעלת התראות", "עדכונים ומשלוחים בזמן אמת.", {"dismiss": "אולי אחר כך", "accept": "הפעלה"}
        ),
    },
    "star-rating": {
        "ar": RtlTexts(
            "كم نجمة تمنحنا؟",
            "اضغط على النجوم. لن يستغرق ذلك سوى دقيقة.",
            {"submit": "إرسال", "dismiss": "لاحقًا"},
        ),
        "he": RtlTexts(
            "כמה כוכבים מגיעים לנו?",
            "הקישו על הכוכבים. זה לוקח דקה.",
            {"submit": "שליחה", "dismiss": "אולי אחר כך"},
        ),
    },
    "login-wall": {
        "ar": RtlTexts(
            "سجّل الدخول للمتابعة",
            "تسجيل الدخول يحفظ المفضلة والسجل.",
            {"accept": "تسجيل الدخول", "skip": "ليس الآن، سأتصفح فقط"},
            ("رقم الهاتف أو البريد الإلكتروني", "كلمة المرور"),
            "بتسجيل الدخول فإنك توافق على الشروط وسياسة الخصوصية",
        ),
        "he": RtlTexts(
            "התחברות כדי להמשיך",
            "ההתחברות שומרת מועדפים והיסטוריה.",
            {"accept": "התחברות", "skip": "לא עכשיו, רק להסתכל"},
            ("טלפון או דוא״ל", "סיסמה"),
            "ההתחברות מהווה הסכמה לתנאים ולמדיניות הפרטיות",
        ),
    },
}


def has_rtl_texts(interruption: Interruption) -> bool:
    """Whether there are right-to-left texts for an interruption, including all its buttons and fields."""
    texts = _TEXTS.get(interruption.id, {}).get(RTL_LANGUAGES[0])
    return (
        texts is not None
        and all(button.key in texts.labels for button in interruption.buttons)
        and len(interruption.fields) == len(texts.hints)
    )


def with_rtl_texts(interruption: Interruption, language: str) -> Interruption:
    """Return the interruption with its texts in this language, or unchanged if there are none."""
    texts = _TEXTS.get(interruption.id, {}).get(language)
    if texts is None:
        return interruption
    return interruption.model_copy(
        update={
            "title": {language: texts.title},
            "message": {language: texts.message},
            "buttons": tuple(
                button.model_copy(update={"label": {language: texts.labels[button.key]}})
                for button in interruption.buttons
            ),
            "fields": tuple(
                each.model_copy(update={"hint": {language: hint}})
                for each, hint in zip(interruption.fields, texts.hints, strict=True)
            ),
            "note": {language: texts.note} if texts.note else interruption.note,
        }
    )
