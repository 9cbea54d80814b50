import { Option } from '@commander-js/extra-typings'

/** The histories of a space that are sealed. */
export const TREES = ['events', 'decisions'] as const

export const treeOption = () =>
  new Option('--tree <history>', 'Which history').choices(TREES).default('events' as const)
