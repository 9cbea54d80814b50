import { textsOf } from '../../languages/texts'

export const { agentTexts, tenantAgentsTexts, inviteAgentTexts, agentCodesTexts, stopAgentsTexts } = textsOf('agent')
