import { useHome } from './machine.js'

useHome()
