<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
 <context>
  <name>Warpscope</name>
  <message numerus="yes">
   <source>%1 of %n lines named; the others at the cursor</source>
   <translation>
    <numerusform>%1 of %n line named; the others at the cursor</numerusform>
    <numerusform>%1 of %n lines named; the others at the cursor</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n more</source>
   <translation>
    <numerusform>%n more</numerusform>
    <numerusform>%n more</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n more images</source>
   <translation>
    <numerusform>%n more image</numerusform>
    <numerusform>%n more images</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n samples are not finite and left out</source>
   <translation>
    <numerusform>%n sample is not finite and left out</numerusform>
    <numerusform>%n samples are not finite and left out</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n steps</source>
   <translation>
    <numerusform>%n step</numerusform>
    <numerusform>%n steps</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>sum of %n recorded steps</source>
   <translation>
    <numerusform>sum of %n recorded step</numerusform>
    <numerusform>sum of %n recorded steps</numerusform>
   </translation>
  </message>
 </context>
</TS>
