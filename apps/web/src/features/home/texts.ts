import { textsOf } from '../../languages/texts'

export const { homeTexts, firstStepsTexts } = textsOf('home')
