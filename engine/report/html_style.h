// Style and script of an HTML report, which loads nothing.
#pragma once

#include <string_view>

namespace warpscope {

inline constexpr std::string_view kHtmlStyle = R"(
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1320px;padding:24px 20px 60px;font:15px/1.5 system-ui,sans-serif;color:#202020;background:#fff}
h1{font-size:26px;margin:0 0 4px}
h2{font-size:20px;margin:44px 0 10px;padding-top:12px;border-top:1px solid #ddd}
h3{font-size:16px;margin:22px 0 6px}
nav{margin:12px 0}
nav a{margin-right:14px;white-space:nowrap}
a{color:#075480}
small,.weak{color:#5c5c5c;font-size:12.5px}
.warning{border-left:4px solid #c02020;background:#fdf1f1;padding:6px 12px;margin:8px 0}
.command{display:flex;gap:8px;align-items:flex-start;margin:6px 0}
.command code{flex:1;background:#f4f4f4;border:1px solid #ddd;padding:5px 9px;overflow-wrap:anywhere;font-size:13px;user-select:all}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13.5px;min-width:100%}
caption{text-align:left;color:#5c5c5c;padding-bottom:4px}
th,td{padding:5px 9px;border-bottom:1px solid #e4e4e4;text-align:left;vertical-align:top}
thead th{border-bottom:2px solid #8c8c8c;vertical-align:bottom;font-weight:600}
thead button{all:unset;cursor:pointer;font-weight:600}
thead button:focus-visible{outline:2px solid #0072b2}
thead th[aria-sort=ascending] button::after{content:" \25B2"}
thead th[aria-sort=descending] button::after{content:" \25BC"}
.speedup{min-width:215px}
tbody th{font-weight:400;white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.n svg{display:block;margin:2px 0 0 auto}
.n small{display:block}
.n small.why{white-space:normal;text-align:left;min-width:140px}
.long{white-space:normal;min-width:130px}
.fold>summary{cursor:pointer;color:#075480;margin:6px 0}
mark{background:#fbe3e3;color:#8a1010;padding:0 4px;border-radius:2px;font-size:12.5px}
.bad{color:#a01010}
svg.bar rect{fill:#0072b2}
svg.bar.bad rect{fill:#c02020}
svg .axis{stroke:#b0b0b0;fill:none}
svg.samples path{fill:#6b8ea6}
svg.samples .axis{fill:none}
figure{margin:10px 0}
figure{overflow-x:auto}
figure>svg{max-width:100%;min-width:680px;height:auto}
figcaption{color:#5c5c5c;font-size:13px}
.pair{display:flex;flex-wrap:wrap;gap:8px}
.pair img{max-width:100%;height:auto;display:block;image-rendering:pixelated}
.pair.over{display:block;position:relative;width:fit-content;max-width:100%}
.pair.over img+img{position:absolute;left:0;top:0;width:100%;clip-path:inset(0 0 0 50%)}
.slide{display:flex;gap:10px;align-items:center;max-width:512px}
.slide input{flex:1}
details code{min-width:260px}
pre{overflow-x:auto;font-size:12.5px}
@media(max-width:1360px){table.rows{font-size:12px}.rows th,.rows td{padding:4px}tbody th{white-space:normal}.n mark{white-space:normal;display:inline-block}thead .n{white-space:normal}.speedup{min-width:200px}.rows details code{min-width:110px}}
@media print{body{max-width:none;padding:0;font-size:11px}table{font-size:9.5px}h2{break-after:avoid}tr,figure{break-inside:avoid}nav,button,summary,.rows details,.slide{display:none}.wide{overflow:visible}}
)";

// All of it is convenience: without scripts the pictures stand side by side, tables keep their
// order, and commands are selected by a click.
inline constexpr std::string_view kHtmlScript = R"(
for(const box of document.querySelectorAll('.command')){
  const button=box.querySelector('button'),code=box.querySelector('code');
  button.hidden=false;
  button.onclick=async()=>{
    try{await navigator.clipboard.writeText(code.textContent)}
    catch(e){getSelection().selectAllChildren(code);document.execCommand('copy')}
    button.textContent='Copied';setTimeout(()=>button.textContent='Copy',1500)};
}
addEventListener('beforeprint',()=>{for(const fold of document.querySelectorAll('.fold'))fold.open=true});
for(const table of document.querySelectorAll('table.rows')){
  const heads=[...table.tHead.rows[0].cells],body=table.tBodies[0];
  const value=(row,i)=>{const c=row.cells[i];return !c||c.colSpan>1?null:c.dataset.v!==undefined?+c.dataset.v:c.textContent};
  heads.forEach((head,i)=>{
    const button=document.createElement('button');
    button.type='button';button.append(...head.childNodes);head.append(button);
    button.onclick=()=>{
      const up=head.getAttribute('aria-sort')!=='ascending';
      heads.forEach(h=>h.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort',up?'ascending':'descending');
      [...body.rows].sort((a,b)=>{
        const x=value(a,i),y=value(b,i);
        if(x===null||y===null)return(x===null)-(y===null);
        const order=typeof x==='number'&&typeof y==='number'?x-y:String(x).localeCompare(String(y));
        return up?order:-order}).forEach(row=>body.append(row))};
  });
}
for(const pair of document.querySelectorAll('.pair')){
  const slide=document.createElement('label'),input=document.createElement('input'),over=pair.querySelectorAll('img')[1];
  slide.className='slide';input.type='range';input.min=0;input.max=100;input.value=50;
  slide.append('before',input,'after');input.setAttribute('aria-label','How much of the picture is before');
  input.oninput=()=>{over.style.clipPath='inset(0 0 0 '+input.value+'%)'};
  pair.classList.add('over');pair.after(slide);
}
)";

}  // namespace warpscope
