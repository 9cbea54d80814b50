import { createContext, useContext } from 'react'

/** Opens the navigation where there is no room for it to stand. */
export const ShellContext = createContext<() => void>(() => {})

export const useOpenNavigation = (): (() => void) => useContext(ShellContext)
