import { textsOf } from '../../languages/texts'

export const { composerTexts, closedTexts } = textsOf('composer')
