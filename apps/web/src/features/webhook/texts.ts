import { textsOf } from '../../languages/texts'

export const { webhooksTexts, createWebhookTexts, webhookTexts, editWebhookTexts, replayWebhookTexts } =
  textsOf('webhook')
