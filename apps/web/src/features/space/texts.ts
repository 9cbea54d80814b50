import { textsOf } from '../../languages/texts'

export const { createSpaceTexts, spaceTexts, goToDateTexts, checkpointTexts } = textsOf('space')
