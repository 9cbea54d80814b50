/** What the tests of `examples/high-availability` share with row HA. */
export { SHORT, type Sizes } from '../sizes.js'
export { Trial } from '../trial.js'
export { Example } from './example.js'
export { FAULTS } from './faults.js'
export { isLoss, loadOn, suffer, sufferUnprotected } from './suffer.js'
