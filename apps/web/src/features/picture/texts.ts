import { textsOf } from '../../languages/texts'

export const { pictureTexts } = textsOf('picture')
