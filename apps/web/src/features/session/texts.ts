import { textsOf } from '../../languages/texts'

export const {
  welcomeTexts,
  signInTexts,
  emailLinkTexts,
  callbackTexts,
  commandTexts,
  deviceTexts,
  signUpTexts,
  redeemTexts,
} = textsOf('session')
