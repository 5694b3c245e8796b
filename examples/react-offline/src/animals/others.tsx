import { blush, Eyes, Pair } from './parts'

export const OTHERS = {
  bird: (
    <>
      <path className="dark" d="M56 22c-6-8-3-14 2-16 0 6 4 6 6 2 4 4 4 10 0 14Z" />
      <path className="coat" d="M60 18c25 0 38 20 38 45 0 26-15 43-38 43S22 89 22 63c0-25 13-45 38-45Z" />
      <Pair>
        <path className="dark" d="M24 56c-10 12-12 32-2 46 12-6 18-24 14-40Z" />
      </Pair>
      <path className="light" d="M60 24c18 0 27 11 27 24 0 14-11 24-27 24S33 62 33 48c0-13 9-24 27-24Z" />
      <path className="line thin" d="M50 84q5 5 10 0 5 5 10 0M55 93q5 5 10 0" />
      <Eyes y={46} />
      <path className="beak" d="M50 52q10-9 20 0c0 10-5 16-10 19-5-3-10-9-10-19Z" />
      {blush(38, 58)}
    </>
  ),
  fish: (
    <>
      <path
        className="dark"
        d="M82 62c8-14 18-22 29-24-4 16-4 32 0 48-11-2-21-10-29-24ZM38 42c6-16 22-22 40-20-2 10-2 18 2 26ZM46 84c6 14 16 18 28 16-4-6-4-12-2-18Z"
      />
      <path className="coat" d="M8 64c6-20 24-31 44-31 18 0 32 12 38 29-6 19-20 31-38 31-20 0-38-10-44-29Z" />
      <path className="light" d="M10 69c14 6 52 10 76 2-7 14-19 22-34 22-19 0-35-9-42-24Z" />
      <path className="line" d="M46 46q9 17 0 34M12 72q6 3 11-1" />
      <path className="dark" d="M58 60c10-3 18 2 22 10-8 6-18 4-22-10Z" />
      <circle className="white" cx="31" cy="57" r="9" />
      <circle className="ink" cx="29" cy="57" r="5" />
      <circle className="white" cx="30.5" cy="55" r="1.6" />
      <path className="bubble" d="M12 38a5 5 0 1 0 .1 0ZM22 20a7 7 0 1 0 .1 0Z" />
    </>
  ),
  frog: (
    <>
      <Pair>
        <circle className="coat" cx="37" cy="40" r="18" />
        <circle className="white" cx="37" cy="38" r="11" />
      </Pair>
      <path className="coat" d="M60 40c28 0 46 14 46 34 0 19-18 31-46 31S14 93 14 74c0-20 18-34 46-34Z" />
      <path className="light" d="M20 84c22 10 58 10 80 0-6 13-20 21-40 21s-34-8-40-21Z" />
      <Eyes x={38} y={39} />
      <path className="line" d="M28 76q32 20 64 0M55 62h.1M65 62h.1" />
      {blush(27, 70)}
    </>
  ),
  crab: (
    <>
      <path className="dark" d="M30 84C20 44 42 12 74 16c26 4 38 32 30 66Z" />
      <path className="spiral" d="M38 82c-2-26 10-50 34-50 18 0 24 20 14 32-8 10-24 4-20-8 2-6 10-6 11 0" />
      <path className="coat" d="M14 88c0-12 18-18 42-18 26 0 44 6 44 18 0 10-18 18-43 18S14 98 14 88Z" />
      <path className="coat" d="M24 84C8 80 4 64 14 54c2 6 4 8 8 8 0-6 4-9 10-8 4 10 4 22-8 30Z" />
      <path className="coat line" d="M40 74V58M58 74V56" />
      <circle className="white" cx="40" cy="54" r="8" />
      <circle className="white" cx="58" cy="52" r="8" />
      <circle className="ink" cx="39" cy="54" r="4.5" />
      <circle className="ink" cx="57" cy="52" r="4.5" />
      <path className="line" d="M42 88q7 6 14 0M74 104l4 8M88 100l6 7M28 103l-4 8" />
    </>
  ),
  tortoise: (
    <>
      <Pair>
        <ellipse className="coat" cx="28" cy="94" rx="14" ry="11" />
      </Pair>
      <path className="dark" d="M60 16c28 0 46 22 46 50 0 18-16 30-46 30S14 84 14 66c0-28 18-50 46-50Z" />
      <path className="spiral" d="m60 26 16 10v18L60 64 44 54V36ZM76 36l16-4M44 36l-16-4M76 54l20 12M44 54 24 66" />
      <ellipse className="coat" cx="60" cy="84" rx="25" ry="22" />
      <Eyes x={50} y={80} />
      <path className="line" d="M52 93q8 6 16 0" />
      {blush(44, 90)}
    </>
  ),
  lizard: (
    <>
      <path className="coat" d="M60 30c30 0 46 18 46 37 0 20-24 38-46 38S14 87 14 67c0-19 16-37 46-37Z" />
      <path
        className="dark"
        d="M60 20l6 12H54ZM46 24l4 11-11 2ZM74 24l-4 11 11 2ZM52 46h.1a4 4 0 1 0-.1 0ZM68 52a3 3 0 1 0-.1 0Z"
      />
      <path className="light" d="M18 80c24 12 60 12 84 0-8 15-26 25-42 25s-34-10-42-25Z" />
      <Pair>
        <circle className="white" cx="33" cy="58" r="13" />
        <ellipse className="ink" cx="35" cy="58" rx="4" ry="9" />
      </Pair>
      <path className="line" d="M26 80q34 16 68 0M55 70h.1M65 70h.1" />
    </>
  ),
  paw: (
    <>
      <path
        className="coat"
        d="M60 58c17 0 30 15 30 28 0 11-8 15-17 14-5-1-8-3-13-3s-8 2-13 3c-9 1-17-3-17-14 0-13 13-28 30-28Z"
      />
      <Pair>
        <ellipse className="coat" cx="26" cy="54" rx="9" ry="12" />
        <ellipse className="coat" cx="47" cy="34" rx="10" ry="13" />
      </Pair>
    </>
  ),
}
