type Theme = 'system' | 'light' | 'dark'

const KEY = 'spaces.theme'

export function chosenTheme(): Theme {
  const theme = window.localStorage.getItem(KEY)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function chooseTheme(theme: Theme): void {
  window.localStorage.setItem(KEY, theme)
  applyTheme(theme)
}

/** The tokens follow the attribute; without it, they follow the system. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}
