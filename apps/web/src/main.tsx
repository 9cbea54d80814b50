import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { applyDensity, chosenDensity } from './app/density'
import { applyTheme, chosenTheme } from './app/theme'

applyTheme(chosenTheme())
applyDensity(chosenDensity())

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
