import { textsOf } from '../../languages/texts'

export const { activityTexts } = textsOf('activity')
