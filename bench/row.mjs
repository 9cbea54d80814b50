/** What a row of the table is. */

/** @import { Archive } from './archive.mjs' */
/** @import { Sizes } from './sizes.mjs' */
/** @import { Stage } from './stage.mjs' */
/** @import { Tool } from './tools.mjs' */

/** @typedef {Record<string, number>} Figures What one side gave in one round, such as `perSecond`, `p50` and `p99`. */

/**
 * @typedef {object} Claim What must hold: a figure of one side, or its ratio to that of another side.
 * @property {string} measured
 * @property {string | readonly string[]} side Of several, the one that does worst in each round.
 * @property {string} figure
 * @property {string} [against]
 * @property {number} must
 * @property {number} aim
 * @property {'at least' | 'at most'} bound
 * @property {string} [unit] Of a figure that is not a ratio.
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title
 * @property {string} about What is compared, for somebody who reads the table.
 * @property {readonly Tool[]} tools
 * @property {boolean} [peers] Whether it needs programs of others, and is measured only on demand.
 * @property {readonly Claim[]} claims
 * @property {(bench: Bench) => Promise<Opened>} open
 */

/**
 * @typedef {object} Opened A row that is ready to be measured.
 * @property {Record<string, () => Promise<Figures>>} sides Measured in turns, each once a round.
 * @property {boolean} [cold] Whether each measurement stands for itself, so that none is made to warm up.
 * @property {() => Promise<unknown>} [close]
 */

/**
 * @typedef {object} Bench What rows are measured with.
 * @property {Sizes} sizes
 * @property {() => Promise<Stage>} stage Opened by the first row that asks, as is the archive.
 * @property {() => Promise<Archive>} archive
 */

export {}
