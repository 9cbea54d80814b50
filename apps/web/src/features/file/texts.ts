import { textsOf } from '../../languages/texts'

export const { attachTexts, fileTexts, viewerTexts, filesPanelTexts } = textsOf('file')
