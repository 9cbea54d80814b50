import { textsOf } from '../../languages/texts'

export const { connectTexts } = textsOf('connect')
