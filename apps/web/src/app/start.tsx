import '../styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeInviteLink } from '../features/session/pending-invite'
import { applyLook } from '../shared/browser/look'
import { App } from './App'

/** Renders the app. The texts are loaded before this module is imported. */
export function start(): void {
  applyLook()
  takeInviteLink()
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
