"""All dialects by name."""

from __future__ import annotations

from garabench.agents.dialects.agentcpm import AGENTCPM_GUI
from garabench.agents.dialects.android_world import GLM_45V, M3A
from garabench.agents.dialects.appagent import APPAGENT
from garabench.agents.dialects.autoglm import AUTOGLM_PHONE
from garabench.agents.dialects.computer_use import (
    ANTHROPIC_COMPUTER_USE,
    GEMINI_COMPUTER_USE,
    OPENAI_COMPUTER_USE,
)
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.json_action import GEMINI, JSON
from garabench.agents.dialects.qwen import GUI_OWL, GUI_OWL_15, QWEN3_VL, QWEN25_VL
from garabench.agents.dialects.ui_tars import DOUBAO_UI_TARS, UI_TARS_10, UI_TARS_15

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        UI_TARS_10,
        UI_TARS_15,
        DOUBAO_UI_TARS,
        AGENTCPM_GUI,
        QWEN25_VL,
        QWEN3_VL,
        GUI_OWL,
        GUI_OWL_15,
        AUTOGLM_PHONE,
        GLM_45V,
        M3A,
        JSON,
        GEMINI,
        GEMINI_COMPUTER_USE,
        OPENAI_COMPUTER_USE,
        ANTHROPIC_COMPUTER_USE,
        APPAGENT,
    )
}
