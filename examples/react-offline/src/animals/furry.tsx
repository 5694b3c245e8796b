import { blush, Eyes, nose, Pair, smile, teeth, whiskers } from './parts'

export const FURRY = {
  dog: (
    <>
      <path className="coat" d="M60 22c25 0 36 17 36 40 0 24-14 42-36 42S24 86 24 62c0-23 11-40 36-40Z" />
      <Pair>
        <path className="dark" d="M40 26C18 20 8 44 12 70c2 14 13 16 18 4 4-11 3-24 10-48Z" />
      </Pair>
      <ellipse className="light" cx="60" cy="84" rx="22" ry="18" />
      <path className="light" d="M55 24q5-1 10 0l3 46H52Z" />
      <Eyes y={58} />
      <path className="pink" d="M53 92h14v6c0 9-14 9-14 0Z" />
      {nose(74, 'ink')}
      {smile(82)}
    </>
  ),
  cat: (
    <>
      <Pair>
        <path className="coat" d="M24 66 23 25c0-6 5-8 9-4l26 24Z" />
        <path className="pink" d="m30 48-1-17 16 14Z" />
      </Pair>
      <ellipse className="coat" cx="60" cy="70" rx="40" ry="34" />
      <path className="dark" d="M56 37h8l-2 15h-4ZM42 40l7-2 2 11-4 1ZM78 40l-7-2-2 11 4 1Z" />
      <ellipse className="light" cx="60" cy="86" rx="19" ry="14" />
      <Eyes x={43} y={66} />
      {nose(77, 'pink')}
      {smile(84)}
      {whiskers(80)}
    </>
  ),
  rabbit: (
    <>
      <Pair>
        <ellipse className="coat" cx="44" cy="34" rx="12" ry="31" transform="rotate(-7 44 34)" />
        <ellipse className="pink" cx="44" cy="36" rx="6" ry="22" transform="rotate(-7 44 36)" />
      </Pair>
      <ellipse className="coat" cx="60" cy="80" rx="35" ry="31" />
      <ellipse className="light" cx="60" cy="92" rx="18" ry="13" />
      <Eyes y={74} />
      {teeth(96)}
      {nose(84, 'pink')}
      {smile(91)}
      {blush(36, 86)}
    </>
  ),
  guineaPig: (
    <>
      <Pair>
        <path className="dark" d="M42 44C30 30 14 34 14 46c0 10 12 14 20 12Z" />
      </Pair>
      <ellipse className="coat" cx="60" cy="72" rx="42" ry="35" />
      <path className="dark" d="M76 41c18 6 26 19 26 31 0 8-4 16-10 22-12-4-20-30-16-53Z" />
      <path className="light" d="M50 39q10-3 20 0c0 22 2 34 12 46-10 16-34 16-44 0 10-12 12-24 12-46Z" />
      <Eyes x={38} y={68} />
      {teeth(92)}
      {nose(80, 'pink')}
      {smile(87)}
    </>
  ),
  hamster: (
    <>
      <Pair>
        <circle className="dark" cx="34" cy="40" r="14" />
        <circle className="pink" cx="35" cy="41" r="8" />
      </Pair>
      <path className="coat" d="M60 34c26 0 44 18 44 40 0 20-18 31-44 31S16 94 16 74c0-22 18-40 44-40Z" />
      <Pair>
        <ellipse className="light" cx="39" cy="87" rx="21" ry="15" />
      </Pair>
      <ellipse className="light" cx="60" cy="82" rx="12" ry="12" />
      <Eyes y={64} />
      {teeth(91)}
      {nose(77, 'pink')}
      {smile(85)}
      {blush(32, 78)}
    </>
  ),
  mouse: (
    <>
      <Pair>
        <circle className="coat" cx="29" cy="42" r="21" />
        <circle className="pink" cx="30" cy="43" r="13" />
      </Pair>
      <path className="coat" d="M60 34c22 0 34 15 34 32 0 22-20 39-34 39S26 88 26 66c0-17 12-32 34-32Z" />
      <path className="light" d="M60 74c12 0 20 6 20 14-6 10-13 17-20 17s-14-7-20-17c0-8 8-14 20-14Z" />
      <Eyes y={66} />
      {nose(86, 'pink')}
      {smile(93)}
      {whiskers(86)}
    </>
  ),
}
