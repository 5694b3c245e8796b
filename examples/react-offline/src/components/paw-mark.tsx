export function PawMark() {
  return (
    <svg className="paw-mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 15c4 0 7.2 3.6 7.2 6.6 0 2.5-1.9 3.6-3.9 3.3-1.3-.2-2.1-.6-3.3-.6s-2 .4-3.3.6c-2 .3-3.9-.8-3.9-3.3C8.8 18.6 12 15 16 15Z" />
      <ellipse cx="8" cy="14.5" rx="2.2" ry="2.9" />
      <ellipse cx="13" cy="9.8" rx="2.3" ry="3.1" />
      <ellipse cx="19" cy="9.8" rx="2.3" ry="3.1" />
      <ellipse cx="24" cy="14.5" rx="2.2" ry="2.9" />
    </svg>
  )
}
