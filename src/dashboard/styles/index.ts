import coverage from './coverage.css' with { type: 'text' }
import forms from './forms.css' with { type: 'text' }
import frame from './frame.css' with { type: 'text' }
import narrow from './narrow.css' with { type: 'text' }
import panels from './panels.css' with { type: 'text' }
import parts from './parts.css' with { type: 'text' }
import requests from './requests.css' with { type: 'text' }
import tables from './tables.css' with { type: 'text' }
import theme from './theme.css' with { type: 'text' }
import welcome from './welcome.css' with { type: 'text' }

/** What `dashboard.css` imports, in the same order: a constructed stylesheet imports nothing. */
export const styles: readonly string[] = [
  theme,
  parts,
  frame,
  welcome,
  forms,
  tables,
  requests,
  panels,
  coverage,
  narrow,
]
