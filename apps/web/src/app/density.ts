type Density = 'comfortable' | 'compact'

const KEY = 'spaces.density'

/** How close to each other lines stand on this device, for all its accounts. */
export const chosenDensity = (): Density => (window.localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable')

export function chooseDensity(density: Density): void {
  window.localStorage.setItem(KEY, density)
  applyDensity(density)
}

/** The tokens follow the attribute. */
export function applyDensity(density: Density): void {
  document.documentElement.dataset.density = density
}
