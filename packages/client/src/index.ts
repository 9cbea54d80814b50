export { ActorStream } from './actor-stream.js'
export { type Client, type ClientOptions, createClient } from './client.js'
export type { DownloadOptions } from './download.js'
export { SpacesError } from './error.js'
export type { EventsOptions } from './events.js'
export type { Answer, Fetch, FetchInit } from './fetch.js'
export {
  type AttributedSpeaker,
  type Attribution,
  asPoster,
  attributionInWords,
  attributionOf,
  type DecisionAuthors,
  doerOf,
  eventElement,
  lineSpeaker,
  type PosterWords,
  posterInWords,
  posterName,
  postersIn,
  proposerOf,
  SPOKEN_FIELDS,
  settlerOf,
} from './generated/attribution.js'
export { cutBefore, cutText, endOfText, shorten } from './generated/cut.js'
export {
  type ExcerptParts,
  type ExcerptSource,
  excerptParts,
  excerptText,
  filesOf,
  namesInWords,
} from './generated/excerpt.js'
export { imageTypeOf, isReadByModels, MAX_MODEL_IMAGE_BYTES } from './generated/image-type.js'
export { type Inline, type InlineText, parseInline, wordsOf } from './generated/inline.js'
export { CONTEXT_BUDGET, LIMITS, PAGES, WAIT } from './generated/limits.js'
export {
  findByName,
  findInlineMentions,
  findMentions,
  hasMention,
  type Mention,
  type Mentionable,
  NameIndex,
  type OpenMention,
  openMentionAt,
} from './generated/mention.js'
export { fromMrkdwn, link } from './generated/mrkdwn.js'
export { foldName } from './generated/name.js'
export { lossyIntegerIn } from './generated/number.js'
export type * from './generated/operations.js'
export { isInFence } from './generated/prose.js'
export {
  currentText,
  EDITED_MARK,
  foldRevisions,
  RETRACTED_MARK,
  type RevisedEvent,
  revisedId,
  type ShownEvent,
  type ShownText,
  shownOf,
  shownTime,
} from './generated/revision.js'
export { isVisible } from './generated/visible.js'
export type { GetOptions } from './get.js'
export { Home, type HomeOptions, type MoveOptions } from './home.js'
export type { Hooks, RequestOutcome, SentRequest } from './hooks.js'
export type { LastingOptions } from './lasting-stream.js'
export { originsOf } from './origin.js'
export type { Query, QueryInput, QueryOutput } from './rest.js'
export type * from './router.js'
export { SpaceStream, type StreamOptions } from './stream.js'
export type { UploadOptions } from './upload.js'
export type { Bytes, UploadContent } from './upload-body.js'
