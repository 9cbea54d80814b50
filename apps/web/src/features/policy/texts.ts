import { textsOf } from '../../languages/texts'

export const { policyTexts } = textsOf('policy')
