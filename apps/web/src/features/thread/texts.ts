import { textsOf } from '../../languages/texts'

export const { threadPanelTexts } = textsOf('thread')
