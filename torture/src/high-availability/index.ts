/** Parts of row HA that the tests of `examples/high-availability` share. */
export { SHORT, type Sizes } from '../sizes.js'
export { Trial } from '../trial.js'
export { Example } from './example.js'
export { FAULTS } from './faults.js'
export { injectFault, injectFaultUnprotected, isLoss, loadOn } from './inject-fault.js'
