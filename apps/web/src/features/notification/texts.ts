import { textsOf } from '../../languages/texts'

export const { notificationsTexts } = textsOf('notification')
